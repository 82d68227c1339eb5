import type { ErrorTable } from './table.ts'

export const trainingErrors = {
  run_not_found: { status: 404, message: 'There is no run with this id.' },
  matrix_not_found: { status: 404, message: 'There is no matrix of runs with this id.' },
  run_state: { status: 409, message: 'The state of this run does not allow that.' },
  run_refused: { status: 409, message: 'This run would fail, so it was not started.' },
  run_changed: { status: 409, message: 'The inputs of this run changed while it was paused, so it cannot be resumed.' },
  run_in_use: { status: 409, message: 'A model depends on this run.' },
  base_model_not_found: { status: 404, message: 'There is no such base model on this machine.' },
  model_not_on_hub: { status: 404, message: 'The hub has no model or data set with this id.' },
  model_gated: { status: 409, message: 'The hub gives this only to accounts that have been granted access.' },
  hub_unreachable: { status: 502, message: 'The model hub could not be reached.' },
  hub_bad_answer: { status: 502, message: 'The model hub sent an invalid response.' },
  hub_not_set_up: { status: 409, message: 'The address of the model hub cannot be used. Change it in Settings → Models.' },
  training_unavailable: { status: 409, message: 'No Python for training was found. Install one in Settings → Training.' },
} as const satisfies ErrorTable

/** What a call that asks the hub can end with. */
export const ASKS_HUB = ['model_not_on_hub', 'model_gated', 'hub_unreachable', 'hub_bad_answer', 'hub_not_set_up'] as const
