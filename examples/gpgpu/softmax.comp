#version 450
// y = softmax(x / temperature) in float32 along the middle one of three dimensions: a group of 64 invocations a lane.
// Vulkan promises exp to 3 + 2|x| units in the last place only, so exponentials are computed here, to two.
// FAULT_… are kernels that are wrong on purpose: Assay's tests hold that each is caught. With DRIVER_EXP the driver's
// exp is taken, which needs "function_errors": [6, 4] in the file.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Input { uint x[]; };
layout(std430, binding = 1) writeonly buffer Output { float y[]; };
layout(push_constant) uniform Problem {
  int input_offset, input_0, input_1, input_2, output_offset, output_0, output_1, output_2, length, inner;
  float temperature;
};

shared float partial[64];
shared bool any_nan, any_infinity;

const uint infinity_bits = 0x7F800000u;

float exponential(float t) {
#ifdef DRIVER_EXP
  return exp(t);
#endif
  if (t < -104) return 0;
  const float n = roundEven(t * 1.44269504);
  const float r = fma(-n, -2.12194440e-4, fma(-n, 0.693359375, t));
  float p = 1.9875691500e-4;
  p = fma(p, r, 1.3981999507e-3);
  p = fma(p, r, 8.3334519073e-3);
  p = fma(p, r, 4.1665795894e-2);
  p = fma(p, r, 1.6666665459e-1);
  p = fma(p, r, 5.0000001201e-1);
  const float e = fma(p * r, r, r) + 1;
  const int first = int(n) / 2, second = int(n) - first;  // each a normal power of two
  return e * uintBitsToFloat(uint(first + 127) << 23) * uintBitsToFloat(uint(second + 127) << 23);
}

void main() {
  const int lane = int(gl_WorkGroupID.x), id = int(gl_LocalInvocationID.x);
  const int from = input_offset + lane / inner * input_0 + lane % inner * input_2;
  const int to = output_offset + lane / inner * output_0 + lane % inner * output_2;
  if (id == 0) any_nan = any_infinity = false;
  barrier();
  float maximum = uintBitsToFloat(0xFF7FFFFFu);  // the least finite number
  bool any_number = false;
  for (int i = id; i < length; i += 64) {
    const uint bits = x[from + i * input_1];
    if ((bits & 0x7FFFFFFFu) > infinity_bits) any_nan = true;
    else if (bits == infinity_bits) any_infinity = true;
    else if (bits != 0xFF800000u) { maximum = max(maximum, uintBitsToFloat(bits) / temperature); any_number = true; }
  }
  partial[id] = any_number ? maximum : uintBitsToFloat(0xFF7FFFFFu);
  barrier();
  for (int step = 32; step > 0; step /= 2) {
    if (id < step) partial[id] = max(partial[id], partial[id + step]);
    barrier();
  }
  maximum = partial[0];
  barrier();
  partial[id] = any_number ? 1 : 0;
  barrier();
  for (int step = 32; step > 0; step /= 2) {
    if (id < step) partial[id] = max(partial[id], partial[id + step]);
    barrier();
  }
  const bool all_hidden = partial[0] == 0;
  barrier();
  float sum = 0;
#ifdef FAULT_LOST_TAIL
  for (int i = id; i < length / 64 * 64; i += 64) {
#else
  for (int i = id; i < length; i += 64) {
#endif
    const uint bits = x[from + i * input_1];
    if (bits != 0xFF800000u) sum += exponential(uintBitsToFloat(bits) / temperature - maximum);
  }
  partial[id] = sum;
  barrier();
  for (int step = 32; step > 0; step /= 2) {
    if (id < step) partial[id] += partial[id + step];
    barrier();
  }
  sum = partial[0];
  for (int i = id; i < length; i += 64) {
    const uint bits = x[from + i * input_1];
    float value = bits == 0xFF800000u ? 0 : exponential(uintBitsToFloat(bits) / temperature - maximum) / sum;
    if (any_nan || any_infinity || all_hidden) value = uintBitsToFloat(0x7FC00000u);
    y[to + i * output_1] = value;
  }
}
