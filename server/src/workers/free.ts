/**
 * Frees the memory of a buffer at once; the buffer is empty afterwards. V8 would collect it only after 64 MB of garbage.
 * Small buffers are not freed, because they share memory with others.
 */
export function free(buffer: Buffer): void {
  const memory = buffer.buffer
  if (memory instanceof ArrayBuffer && memory.byteLength > Buffer.poolSize) memory.transfer(0)
}
