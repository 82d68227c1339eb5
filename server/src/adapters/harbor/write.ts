import fs from 'node:fs'
import path from 'node:path'
import { stringify } from 'smol-toml'
import { AppError } from '#contracts/errors.ts'

export interface HarborSource {
  /** `organisation/name` */
  name: string
  instruction: string
  image: string
  /** Copied into the image, without `.git`; null: it begins empty. */
  directory: string | null
  setup: readonly string[]
  check: string
}

const WORKDIR = '/app'

/** The check decides: 1 where it ends with 0, else 0. */
const testScript = (check: string): string =>
  `#!/bin/bash\nmkdir -p /logs/verifier\nif bash -c ${quoted(check)}; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi\n`

/** Writes a task of Harbor into a folder that is not there yet. */
export function writeHarborTask(folder: string, { name, instruction, image, directory, setup, check }: HarborSource): void {
  if (fs.existsSync(folder))
    throw new AppError('invalid_request', { message: `${folder} is there already. Choose another folder, or remove it.` })
  if (/[\r\n]/.test(image)) throw new AppError('invalid_request', { message: 'The name of an image is one line.' })
  const put = (file: string, text: string, mode = 0o644) => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.writeFileSync(path.join(folder, file), text, { mode })
  }
  put('instruction.md', `${instruction.trimEnd()}\n`)
  put('task.toml', `${stringify({ schema_version: '1.4', task: { name }, environment: { workdir: WORKDIR } })}\n`)
  const steps = [`FROM ${image}`, `WORKDIR ${WORKDIR}`, ...(directory === null ? [] : ['COPY files/ .'])]
  // in the form of a list a command may have several lines
  put(
    'environment/Dockerfile',
    `${[...steps, ...setup.map((command) => `RUN ${JSON.stringify(['/bin/bash', '-c', command])}`)].join('\n')}\n`,
  )
  put('tests/test.sh', testScript(check), 0o755)
  if (directory !== null)
    fs.cpSync(directory, path.join(folder, 'environment/files'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => path.basename(file) !== '.git',
    })
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
