import { drops, keeps, type Schema } from '#server/db/schema.ts'
import { capture } from './migrations/0002-capture.ts'
import { followedFiles } from './migrations/0034-followed-files.ts'

export const captureSchema: Schema = {
  derived: ['archived_traces', 'sources'],
  own: {
    forgotten: keeps('it only prevents imports'),
    followed_files: drops('they are read by themselves, and a stranger may have named them'),
  },
  plumbing: ['ignored_files', 'client_processes'],
  published: ['sources', 'forgotten'],
  fileNames: [
    ['archived_traces', 'trace_id', 'trace'],
    ['archived_traces', 'agent', 'agent'],
    ['sources', 'trace_id', 'trace'],
    ['sources', 'name', 'name'],
  ],
  migrations: [capture, followedFiles],
}
