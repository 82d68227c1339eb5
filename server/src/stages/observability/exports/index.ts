import type { Profile } from '#contracts/entities/profile.ts'
import { otlpOf } from './otlp.ts'
import { perfettoOf } from './perfetto.ts'

export type ExportFormat = 'perfetto' | 'otlp'

/** A profile as the document of another program. */
export const exportOf = (format: ExportFormat, profile: Profile, version: string): object =>
  format === 'otlp' ? otlpOf(profile, version) : perfettoOf(profile)
