/**
 * Gives the memory of a buffer back at once; it is empty afterwards. V8 lets a thread keep 64 MB of such garbage before it
 * looks for any. A small one shares its memory with others and is left to it.
 */
export function free(buffer: Buffer): void {
  const memory = buffer.buffer
  if (memory instanceof ArrayBuffer && memory.byteLength > Buffer.poolSize) memory.transfer(0)
}
