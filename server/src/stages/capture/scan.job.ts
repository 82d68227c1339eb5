import type { Scan } from '#contracts/entities/capture.ts'
import { scan, type ScanInput } from './scan.ts'

export default (input: ScanInput): Scan => scan(input)
