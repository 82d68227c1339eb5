import { keeps, type Schema } from '#server/db/schema.ts'
import { students } from './migrations/0048-students.ts'

export const routerSchema: Schema = {
  own: { students: keeps('names of models, which transcripts have') },
  published: [],
  fileNames: [],
  migrations: [students],
}
