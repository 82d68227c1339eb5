import { canWriteCalls } from '#server/stages/factory/preview/measuring.ts'
import type { TemplateFiles } from './model-facts.ts'

/** Renders a row with calls. In a worker, because templates are programs of others. */
export default function writesCalls(files: TemplateFiles): boolean {
  return canWriteCalls(files)
}
