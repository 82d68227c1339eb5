import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import { stringify } from 'smol-toml'
import { inForeign } from '#server/foreign/index.ts'
import { tarFiles } from '../../agents/index.ts'
import { packFiles } from '../../checks/index.ts'
import type { ChangedFile, States } from './states.ts'
import type { TaskRow } from './store.ts'

export interface TaskFolder extends Omit<TaskRow, 'no'> {
  mustStayNames: string[]
  /** Files of the checks as the session left them. */
  checkFiles: ChangedFile[]
  timeoutSec: number
  /** The commit of the user's repository that the states were restored from. */
  commit: string
}

const TEST = `#!/bin/bash
# Puts the checks in place and runs them. The reward is 1 if they all pass.
cp -a /tests/files/. . 2>/dev/null
mkdir -p /logs/verifier
if bash -c "$(cat /tests/command)"; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
`
const DOCKERFILE = `# The programs and packages that the checks need are not in this image: choose one that has them.
FROM debian:bookworm-slim
WORKDIR /workdir
RUN apt-get update && apt-get install -y --no-install-recommends git zstd
COPY state.tar.zst /tmp/state.tar.zst
RUN tar --zstd -xf /tmp/state.tar.zst && rm /tmp/state.tar.zst
`

const INSTRUCTION = 'instruction.md'
const instructionOf = (prompt: string) => `${prompt.trimEnd()}\n`

/** Replaces what agents are asked in a written task. */
export const writeInstruction = (folder: string, prompt: string): Promise<void> =>
  inForeign(folder, (to) => to.writeFile(INSTRUCTION, instructionOf(prompt), { mode: 0o644, limitBytes: Infinity }))

/** Writes a task in the layout of Harbor. The folder appears at once, complete. */
export async function writeTaskFolder(states: States, folder: string, task: TaskFolder): Promise<void> {
  const { git, gitDir, signal } = states
  const { start, reference, prompt, command, mustPass, mustStayNames, checkFiles, timeoutSec, proof, undone } = task
  const part = `${folder}.part`
  await fs.promises.rm(part, { recursive: true, force: true })
  await fs.promises.mkdir(path.join(part, 'environment'), { recursive: true, mode: 0o700 })
  const toml = {
    schema_version: '1.4',
    task: { name: `personal/${task.id}`, description: 'Work of a recorded session, to be done again', keywords: ['exam'] },
    metadata: { session: task.traceId, cluster: task.traceId, base_commit: task.commit, held_out: true },
    agent: { timeout_sec: 900 },
    verifier: { timeout_sec: timeoutSec, environment_mode: 'separate' },
    environment: { cpus: 2, memory_mb: 2048, network_mode: 'no-network', workdir: '/workdir' },
  }
  const evidence = { base: task.commit, project: task.project, undone, files: task.files, proof }
  const texts: [string, string | Buffer, number?][] = [
    [INSTRUCTION, instructionOf(prompt)],
    ['task.toml', `${stringify(toml)}\n`],
    ['environment/Dockerfile', DOCKERFILE],
    ['tests/test.sh', TEST, 0o755],
    ['tests/command', command],
    ['tests/spec.json', jsonOf({ command, f2p: mustPass, p2p: mustStayNames })],
    ['solution/solve.sh', '#!/bin/bash\ngit apply /solution/patch.diff\n', 0o755],
    ['solution/patch.diff', await git.files.patch(gitDir, start, reference, signal)],
    ['evidence.json', jsonOf(evidence)],
  ]
  await inForeign(part, async (to) => {
    const write = (name: string, content: string | Buffer, mode = 0o644) => to.writeFile(name, content, { mode, limitBytes: Infinity })
    for (const [name, content, mode] of texts) await write(name, content, mode)
    for (const { name, after } of checkFiles)
      if (after !== null && after.mode !== '120000')
        await write(`tests/files/${name}`, after.content, after.mode === '100755' ? 0o755 : 0o644)
  })
  const tar = packFiles(tarFiles(git.files.of(gitDir, start, signal)))
  await pipeline(Readable.from(tar), zlib.createZstdCompress(), fs.createWriteStream(path.join(part, 'environment', 'state.tar.zst')), {
    signal,
  })
  await fs.promises.rm(folder, { recursive: true, force: true })
  await fs.promises.rename(part, folder)
}

const jsonOf = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
