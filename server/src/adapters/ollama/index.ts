/** Ollama's program on this machine, where it is installed. */
import { execa } from 'execa'
import { AppError } from '#contracts/errors.ts'
import { findProgram } from '#server/adapters/tools/find-program.ts'

export interface OllamaPlaces {
  path: string
  userHome: string
}

export function createOllama({ path: searched, userHome }: OllamaPlaces) {
  return {
    find: (): string | null => findProgram('ollama', searched),
    /** Reads a Modelfile in. Throws `export_unavailable` with what Ollama said, or the reason of `signal`. */
    async create(program: string, name: string, modelfile: string, signal: AbortSignal): Promise<void> {
      const result = await execa(program, ['create', name, '-f', modelfile], {
        extendEnv: false,
        env: { PATH: searched, HOME: userHome },
        stdin: 'ignore',
        reject: false,
        all: true,
        cancelSignal: signal,
      })
      signal.throwIfAborted()
      if (result.failed)
        throw new AppError('export_unavailable', {
          message: `Ollama did not take the model: ${(result.all ?? result.shortMessage ?? '').trim().slice(-300)}`,
          hint: 'Is it running? Start it with `ollama serve`, then export again.',
        })
    },
  }
}
export type Ollama = ReturnType<typeof createOllama>
