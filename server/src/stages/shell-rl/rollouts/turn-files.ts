import fs from 'node:fs'
import readline from 'node:readline'
import path from 'node:path'
import type { EpisodeTurn } from '#contracts/entities/rollout.ts'
import { isoOf } from '#server/instant.ts'
import { placeBelow } from '#server/within.ts'
import type { EpisodeTurn as Turn } from '#server/stages/agents/index.ts'

/** Stores the turns of episodes: each set has a folder, and each of its episodes a file of JSON lines. */
export function createTurnFiles(root: string) {
  const fileOf = (set: string, episode: string) => placeBelow(root, set, `${episode}.jsonl`)
  return {
    /** Starts the file of an episode. Overwrites the file if the episode is repeated. */
    open(set: string, episode: string) {
      const file = fileOf(set, episode)
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      const fd = fs.openSync(file, 'w', 0o600)
      return {
        add: (turn: Turn): void => void fs.writeSync(fd, `${JSON.stringify(toEntity(turn))}\n`),
        close: (): void => fs.closeSync(fd),
      }
    },
    /** Reads the turns in order. Yields none if there is no file, and skips an incomplete last line. */
    async *read(set: string, episode: string): AsyncGenerator<EpisodeTurn> {
      const file = fileOf(set, episode)
      if (!fs.existsSync(file)) return
      const lines = readline.createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity })
      for await (const line of lines) {
        const turn = turnOf(line)
        if (turn === null) return
        yield turn
      }
    },
    remove: (set: string): void => fs.rmSync(placeBelow(root, set), { recursive: true, force: true }),
  }
}

export type TurnFiles = ReturnType<typeof createTurnFiles>

const toEntity = ({ usage, at, logprobs, ...turn }: Turn): EpisodeTurn => ({
  ...turn,
  ...(logprobs && { logprobs: [...logprobs] }),
  at: isoOf(at),
  inputTokens: usage.input,
  outputTokens: usage.output,
})

function turnOf(line: string): EpisodeTurn | null {
  try {
    return JSON.parse(line) as EpisodeTurn // written above
  } catch {
    return null // the line is still being written
  }
}
