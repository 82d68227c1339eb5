import type { ErrorTable } from './table.ts'

export const factoryErrors = {
  example_not_found: { status: 404, message: 'There is no example with this id.' },
  pair_not_found: { status: 404, message: 'There is no pair with this id.' },
  dataset_not_found: { status: 404, message: 'There is no data set with this id.' },
  collection_not_found: { status: 404, message: 'There are no imported rows with this id.' },
  dataset_in_use: { status: 409, message: 'This data set was used by a run, so it cannot be removed.' },
  dataset_kind_unavailable: { status: 409, message: 'Rows of this kind cannot be created here.' },
  export_unsupported: { status: 400, message: 'This format does not support rows of this kind.' },
  budget_needed: { status: 400, message: 'A run needs a budget.' },
  nothing_to_augment: { status: 400, message: 'No example matches this selection.' },
  augment_run_not_found: { status: 404, message: 'There is no run with this id.' },
  tokenizer_invalid: { status: 400, message: 'This folder contains no readable tokenizer.' },
} as const satisfies ErrorTable
