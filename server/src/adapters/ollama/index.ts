/** Uses Ollama's program on this machine, if it is installed. */
import { AppError } from '#contracts/errors.ts'
import { findProgram } from '#server/adapters/tools/find-program.ts'
import { howEnded, runToEnd } from '#server/process/run-to-end.ts'

const GRACE_MS = 800

export interface OllamaPlaces {
  path: string
  userHome: string
}

export function createOllama({ path: searched, userHome }: OllamaPlaces) {
  return {
    find: (): string | null => findProgram('ollama', searched),
    /** Imports a Modelfile. Throws `export_unavailable` with Ollama's message, or the reason of `signal`. */
    async create(program: string, name: string, modelfile: string, signal: AbortSignal): Promise<void> {
      const failed = (reason: string) =>
        new AppError('export_unavailable', {
          message: `Ollama did not accept the model: ${reason}`,
          hint: 'Is it running? Start it with `ollama serve`, then export again.',
        })
      const result = await runToEnd({
        command: program,
        args: ['create', name, '-f', modelfile],
        cwd: '/',
        env: { PATH: searched, HOME: userHome },
        deadlineMs: null,
        graceMs: GRACE_MS,
        signal,
      }).catch((error: Error) => {
        signal.throwIfAborted()
        throw failed(error.message)
      })
      signal.throwIfAborted()
      if (result.code !== 0) throw failed(result.output.trim().slice(-300) || howEnded(result))
    },
  }
}
export type Ollama = ReturnType<typeof createOllama>
