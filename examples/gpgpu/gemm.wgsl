// C = alpha·op(A)·op(B) + beta·C of float32 matrices on any strides, in tiles of 16×16.
// fault_… are kernels that are wrong on purpose where one is true: Assay's tests hold that each is caught.
const fault_lost_product = false;
const fault_half_inputs = false;
const fault_row_too_many = false;
const fault_ignores_stride = false;

struct Problem {
  a_offset: i32, a_row: i32, a_column: i32, a_batch: i32,
  b_offset: i32, b_row: i32, b_column: i32, b_batch: i32,
  c_offset: i32, c_row: i32, c_column: i32, c_batch: i32,
  m: i32, n: i32, k: i32, alpha: f32, beta: f32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(1) @binding(0) var<uniform> p: Problem;

var<workgroup> tile_a: array<array<f32, 16>, 16>;
var<workgroup> tile_b: array<array<f32, 16>, 16>;

fn rounded_input(x: f32) -> f32 {
  if (fault_half_inputs) { return unpack2x16float(pack2x16float(vec2f(x, 0.0))).x; }
  return x;
}

@compute @workgroup_size(16, 16)
fn gemm(@builtin(global_invocation_id) at: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let column = i32(at.x);
  let row = i32(at.y);
  let batch = i32(at.z);
  let x = i32(local.x);
  let y = i32(local.y);
  let row_of_a = select(p.a_row, p.k, fault_ignores_stride && p.a_column == 1);
  var sum = 0.0;
  for (var start = 0; start < p.k; start += 16) {
    var of_a = 0.0;
    if (row < p.m && start + x < p.k) {
      of_a = rounded_input(a[p.a_offset + batch * p.a_batch + row * row_of_a + (start + x) * p.a_column]);
    }
    var of_b = 0.0;
    if (column < p.n && start + y < p.k) {
      of_b = rounded_input(b[p.b_offset + batch * p.b_batch + (start + y) * p.b_row + column * p.b_column]);
    }
    tile_a[y][x] = of_a;
    tile_b[y][x] = of_b;
    workgroupBarrier();
    for (var i = 0; i < 16; i++) {
      if (fault_lost_product && start + i == 7) { continue; }
      sum += tile_a[y][i] * tile_b[i][x];
    }
    workgroupBarrier();
  }
  let rows = select(p.m, p.m + 1, fault_row_too_many);
  if (row >= rows || column >= p.n) { return; }
  let place = p.c_offset + batch * p.c_batch + row * p.c_row + column * p.c_column;
  var result = p.alpha * sum;
  if (p.beta != 0.0) { result += p.beta * c[place]; }
  c[place] = result;
}
