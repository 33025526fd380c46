#pragma once

#include "assay/serving/batched_decoder.hpp"

#include <algorithm>
#include <utility>

#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE BatchedDecoder::BatchedDecoder(const TinyDecoder& decoder,
                                                          const BatchedDecoderOptions& options)
    : decoder_(decoder), options_(options), cache_(options.blocks, options.block_size, options.fault) {
  expect(options.batch > 0 && options.chunk > 0,
         [] { return "BatchedDecoder() takes a sequence at the same time, and a token of a chunk at least"; });
}

ASSAY_DETAIL_HEADER_INLINE void BatchedDecoder::admit() {
  if (running_.size() >= options_.batch || waiting_.empty()) return;
  Sequence next = std::move(waiting_.front());
  waiting_.pop_front();
  if (!next.left.blocks.empty()) {
    next.table = cache_.fork(std::exchange(next.left, {}));
  } else if (options_.prefix_cache) {
    // The last token is computed in any case: its logits are what is wanted.
    next.table = cache_.find_prefix(next.tokens, next.adapter, next.tokens.size() - 1);
    cached_ += next.table.length;
  }
  running_.push_back(std::move(next));
}

/// Appends to a sequence's cache; the newest sequences give up their blocks until it fits. False: it was the one.
ASSAY_DETAIL_HEADER_INLINE bool BatchedDecoder::append(std::size_t place, const TinySlot& slot) {
  while (!cache_.append(running_[place].table, slot)) {
    std::size_t last = running_.size() - 1;
    while (last > place && (running_[last].done || running_[last].table.blocks.empty())) --last;
    Sequence& victim = running_[last];
    if (options_.fault == EngineFault::resumed_without_recompute) victim.left = victim.table;
    cache_.release(victim.table);
    ++preemptions_;
    if (last == place) return false;
  }
  return true;
}

ASSAY_DETAIL_HEADER_INLINE void BatchedDecoder::emit(std::size_t place, const std::vector<float>& logits) {
  const auto take = [&](Sequence& sequence) {
    const std::size_t rank = sequence.answer.tokens.empty() ? sequence.choice % TinyDecoder::vocabulary : 0;
    const std::size_t token = ranked_tokens(logits)[rank];
    sequence.answer.logits.push_back(logits);
    sequence.answer.tokens.push_back(token);
    sequence.tokens.push_back(token);
    sequence.done = sequence.answer.tokens.size() >= sequence.wanted;
  };
  for (; running_[place].answers > 1; --running_[place].answers) {
    Sequence branch = running_[place];
    branch.choice = branch.answers - 1;
    branch.answers = 1;
    branch.table = cache_.fork(running_[place].table);
    take(branch);
    branches_.push_back(std::move(branch));
  }
  take(running_[place]);
}

ASSAY_DETAIL_HEADER_INLINE void BatchedDecoder::advance(std::size_t place) {
  const EngineFault fault = options_.fault;
  const std::size_t begin = running_[place].table.length,
                    end = std::min(begin + options_.chunk, running_[place].tokens.size());
  std::size_t longest = 0;
  for (const Sequence& sequence : running_) longest = std::max(longest, sequence.tokens.size());
  std::vector<float> logits;
  for (std::size_t at = begin; at < end; ++at) {
    const Sequence& sequence = running_[place];
    const bool later_chunk = at < sequence.prompt && begin > 0;
    TinyDecoder::Attention attention;
    if (fault == EngineFault::chunk_forgets && later_chunk) attention.first = begin;
    if (fault == EngineFault::padding_attended) attention.padding = longest - sequence.tokens.size();
    attention.backwards = fault == EngineFault::batch_reorders_sums && running_.size() > 1;
    const std::size_t position = fault == EngineFault::chunk_restarts_positions && later_chunk ? at - begin : at;
    TinySlot own{};
    logits = decoder_.step(
        sequence.tokens[at], position,
        fault == EngineFault::adapter_of_first ? running_.front().adapter : sequence.adapter,
        [&](std::size_t j) -> const TinySlot& { return cache_.slot(running_[place].table, j); }, own, attention);
    if (!append(place, own)) return;
  }
  Sequence& sequence = running_[place];
  if (sequence.table.length == sequence.tokens.size()) emit(place, logits);
  if (options_.prefix_cache) cache_.remember(running_[place].table, running_[place].tokens, running_[place].adapter);
}

/// Who is done leaves, and the last of the batch takes the place.
ASSAY_DETAIL_HEADER_INLINE void BatchedDecoder::drop_done(DecodedAnswers& answers) {
  for (std::size_t place = 0; place < running_.size();) {
    Sequence& sequence = running_[place];
    const bool preempted = !sequence.done && sequence.table.blocks.empty();
    if (!sequence.done && !preempted) {
      ++place;
      continue;
    }
    if (options_.fault == EngineFault::table_not_moved && place + 1 < running_.size()) {
      auto &mine = sequence.table.blocks, &moved = running_.back().table.blocks;
      for (std::size_t i = 0; i < std::min(mine.size(), moved.size()); ++i) std::swap(mine[i], moved[i]);
    }
    if (sequence.done) {
      cache_.release(sequence.table);
      answers[sequence.request][sequence.choice] = std::move(sequence.answer);
    } else {
      waiting_.push_front(std::move(sequence));
    }
    if (place + 1 < running_.size()) running_[place] = std::move(running_.back());
    running_.pop_back();
  }
}

ASSAY_DETAIL_HEADER_INLINE DecodedAnswers BatchedDecoder::run(std::span<const DecodeRequest> requests) {
  DecodedAnswers answers(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const DecodeRequest& request = requests[i];
    expect(!request.prompt.empty() && request.tokens > 0 && request.answers > 0,
           [] { return "BatchedDecoder::run() was given a request without prompt, tokens or answers"; });
    expect((request.prompt.size() + request.tokens + options_.block_size - 1) / options_.block_size <= options_.blocks,
           [] { return "a request does not fit the blocks of BatchedDecoder by itself; give it more"; });
    answers[i].resize(request.answers);
    Sequence sequence;
    sequence.request = i;
    sequence.adapter = request.adapter;
    sequence.prompt = request.prompt.size();
    sequence.wanted = request.tokens;
    sequence.answers = request.answers;
    sequence.tokens = request.prompt;
    waiting_.push_back(std::move(sequence));
  }
  while (!waiting_.empty() || !running_.empty()) {
    admit();
    for (std::size_t place = 0; place < running_.size(); ++place)
      if (!running_[place].done && (place == 0 || running_[place].left.blocks.empty())) advance(place);
    for (Sequence& branch : branches_) running_.push_back(std::move(branch));
    branches_.clear();
    drop_done(answers);
  }
  return answers;
}

}  // namespace assay::inline v0
