export { scan } from './scan.ts'
export type { KnownNames, ScanOptions } from './types.ts'
