import type { Dataset, ExportFormat, ExportResult } from '#contracts/entities/dataset.ts'
import { METADATA_FOLDER } from './shape.ts'

/** `dataset_info.json` of LLaMA-Factory's data folder, with an entry for each file. */
export function datasetInfo(
  { name, version }: Pick<Dataset, 'name' | 'version'>,
  format: ExportFormat,
  files: ExportResult['files'],
): string {
  const about =
    format === 'sharegpt'
      ? { formatting: 'sharegpt', columns: { messages: 'conversations', system: 'system', tools: 'tools' } }
      : {
          formatting: 'alpaca',
          columns: { prompt: 'instruction', query: 'input', response: 'output', system: 'system', history: 'history' },
        }
  const entries = files
    .filter(({ path }) => !path.startsWith(METADATA_FOLDER))
    .map(({ path }) => [`${slug(name)}_v${version}_${path.replace('.jsonl', '')}`, { file_name: path, ...about }])
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

/** A name for files: lower-case letters, digits and dashes. */
export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'data-set'
