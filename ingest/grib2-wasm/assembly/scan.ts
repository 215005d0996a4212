/** Reverses a row of `nx` 32-bit words. */
export function turnRow(row: usize, nx: i32): void {
  let a = row
  let b = row + (<usize>nx << 2)
  while (a + 32 <= b) {
    b -= 16
    const first = v128.load(a)
    const last = v128.load(b)
    v128.store(a, v128.shuffle<i32>(last, last, 3, 2, 1, 0))
    v128.store(b, v128.shuffle<i32>(first, first, 3, 2, 1, 0))
    a += 16
  }
  while (a + 8 <= b) {
    b -= 4
    const first = load<u32>(a)
    store<u32>(a, load<u32>(b))
    store<u32>(b, first)
    a += 4
  }
}

/** Reverses every second row (1, 3, …) of `nx` words: scanning flag 0x10. */
export function turnRows(out: usize, nx: i32, ny: i32): void {
  for (let j = 1; j < ny; j += 2) turnRow(out + <usize>j * (<usize>nx << 2), nx)
}

/** Transposes columns of `ny` words (scanning flag 0x20) into rows of `nx`. */
export function columnsToRows(from: usize, nx: i32, ny: i32, to: usize): void {
  for (let i0 = 0; i0 < nx; i0 += 16) {
    const i1 = min(i0 + 16, nx)
    for (let j = 0; j < ny; j++) {
      for (let i = i0; i < i1; i++) {
        store<u32>(to + ((<usize>j * <usize>nx + <usize>i) << 2), load<u32>(from + ((<usize>i * <usize>ny + <usize>j) << 2)))
      }
    }
  }
}
