import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, Limit, page } from '../entities/common.ts'
import {
  BalanceBy,
  Dataset,
  DatasetGroups,
  DatasetComparison,
  DatasetKind,
  DatasetPlan,
  DatasetRecipe,
  DatasetRow,
  DatasetSummary,
  ExportFormat,
  ExportResult,
  FilePeek,
  ListedDrop,
  RowCollection,
  SplitName,
} from '../entities/dataset.ts'
import { Job } from '../entities/job.ts'
import { fileField, folderField, READ_ROWS } from '../places.ts'

const route = routesOf('datasets')
const training = routesOf('training')
const collections = routesOf('collections')
const Id = z.string().min(1).max(100)
const params = z.object({ id: Id })
const Folder = folderField(z.string().min(1).max(4096), 'Write an export into a folder', {
  title: 'Confirm writing into this folder',
}).meta({
  description: 'absolute path; created if missing, refused if not empty',
})

export const buildDataset = route.post('buildDataset', '/api/datasets', {
  summary: 'Build a version of a data set; `result` of the job is a DatasetBuilt',
  status: 202,
  body: DatasetRecipe,
  response: Job,
  errors: [
    'job_running',
    'filter_invalid',
    'path_refused',
    'tokenizer_invalid',
    'collection_not_found',
    'dataset_kind_unavailable',
    'confirmation_required',
  ],
})
export const planDataset = route.post('planDataset', '/api/datasets/plan', {
  summary: 'The sessions that a recipe would use, and why it excludes others; nothing is built',
  body: DatasetRecipe,
  response: DatasetPlan,
  onlyLooks: true,
  errors: ['filter_invalid', 'path_refused', 'confirmation_required'],
})
export const listDatasets = route.get('listDatasets', '/api/datasets', {
  summary: 'Versions of all data sets, newest first',
  query: z.object({ name: z.string().max(80).optional(), kind: DatasetKind.optional(), cursor: Cursor, limit: Limit }),
  response: page(DatasetSummary),
})
export const getDataset = route.get('getDataset', '/api/datasets/{id}', {
  summary: 'The manifest of a version',
  params,
  response: Dataset,
  errors: ['dataset_not_found'],
})
export const listDatasetRows = route.get('listDatasetRows', '/api/datasets/{id}/examples', {
  summary: 'Rows of a version, each with its session and steps',
  params,
  query: z.object({
    split: SplitName.optional(),
    traceId: z.string().max(100).optional(),
    by: BalanceBy.optional().meta({ description: 'with `group`: only rows of this group' }),
    group: z.string().max(400).optional(),
    cursor: Cursor,
    limit: Limit,
  }),
  response: page(DatasetRow),
  errors: ['dataset_not_found'],
})
export const listDroppedRows = route.get('listDroppedRows', '/api/datasets/{id}/dropped', {
  summary: 'Rows that are not in a version, and why',
  params,
  query: z.object({ stage: z.string().max(60).optional(), reason: z.string().max(400).optional(), cursor: Cursor, limit: Limit }),
  response: page(ListedDrop),
  errors: ['dataset_not_found'],
})
export const groupDataset = route.get('groupDataset', '/api/datasets/{id}/groups', {
  summary: 'Rows of a version by repository, tool, kind of task, language and length',
  params,
  response: DatasetGroups,
  errors: ['dataset_not_found'],
})
export const compareDatasets = route.get('compareDatasets', '/api/datasets/compare', {
  summary: 'Differences in rows and recipe of two versions',
  query: z.object({ a: Id, b: Id, cursor: Cursor, limit: Limit }),
  response: DatasetComparison,
  errors: ['dataset_not_found'],
})
export const deleteDataset = route.delete('deleteDataset', '/api/datasets/{id}', {
  summary: 'Remove a version; it can be restored for 30 days',
  params,
  query: z.object({
    forGood: z.enum(['true', 'false']).default('false').meta({ description: 'delete its files now; it cannot be restored' }),
  }),
  response: DatasetSummary,
  errors: ['dataset_not_found', 'dataset_in_use'],
})
export const restoreDataset = route.post('restoreDataset', '/api/datasets/{id}/restore', {
  summary: 'Restore a removed version',
  params,
  body: z.object({}),
  response: DatasetSummary,
  errors: ['dataset_not_found'],
})
export const exportDataset = route.post('exportDataset', '/api/datasets/{id}/export', {
  summary: 'Write a version to a folder in another format; the default folder is in exports/ of the data directory',
  params,
  body: z.object({ format: ExportFormat, split: SplitName.optional(), out: Folder.optional() }),
  response: ExportResult,
  errors: ['dataset_not_found', 'export_unsupported', 'path_refused', 'disk_full', 'confirmation_required'],
})
export const downloadDataset = route.get('downloadDataset', '/api/datasets/{id}/download', {
  summary: 'Download a version in another format, as a tar file',
  params,
  query: z.object({ format: ExportFormat, split: SplitName.optional() }),
  produces: 'application/x-tar',
  errors: ['dataset_not_found', 'export_unsupported', 'disk_full'],
})
export const exportTraining = training.post('exportTraining', '/api/training/export', {
  summary: 'Write a version (default: the newest of kind sft) as training files',
  body: z.object({
    datasetId: Id.optional(),
    format: ExportFormat.default('nemo'),
    split: SplitName.optional(),
    out: Folder.optional(),
  }),
  response: ExportResult,
  errors: ['dataset_not_found', 'export_unsupported', 'path_refused', 'disk_full', 'confirmation_required'],
})

export const importRows = collections.post('importRows', '/api/collections', {
  summary: 'Import rows from a JSONL or Parquet file; `result` of the job is a RowImport',
  status: 202,
  body: z.object({
    file: fileField(z.string().min(1).max(4096), READ_ROWS).meta({ description: 'absolute' }),
    name: z.string().trim().min(1).max(80).optional(),
    kind: DatasetKind.optional().meta({ description: 'default: detected from the columns' }),
    columns: z.record(z.string().max(200), z.string().max(200)).default({}).meta({ description: 'our field → column of the file' }),
    skipInvalid: z.boolean().default(false).meta({ description: 'skip rows with errors instead of refusing the import' }),
  }),
  response: Job,
  errors: ['path_refused', 'confirmation_required'],
})
export const peekFile = collections.post('peekFile', '/api/collections/peek', {
  summary: 'First rows and columns of an outside JSONL or Parquet file; nothing is stored',
  body: z.object({
    file: fileField(z.string().min(1).max(4096), READ_ROWS).meta({ description: 'absolute' }),
    columns: z.record(z.string().max(200), z.string().max(200)).default({}).meta({ description: 'our field → column of the file' }),
  }),
  response: FilePeek,
  onlyLooks: true,
  errors: ['path_refused', 'confirmation_required'],
})
export const listCollections = collections.get('listCollections', '/api/collections', {
  summary: 'Imported rows',
  response: z.object({ items: z.array(RowCollection) }),
})
export const deleteCollection = collections.delete('deleteCollection', '/api/collections/{id}', {
  summary: 'Remove imported rows; versions built from them do not change',
  params,
  response: z.object({ removed: z.literal(true) }),
  errors: ['collection_not_found'],
})
