import type { BaseModel } from '#contracts/entities/base-model.ts'

export interface FoundModel {
  id: string
  /** A folder, or a GGUF file. */
  path: string
  source: BaseModel['source']
  revision: string | null
}
