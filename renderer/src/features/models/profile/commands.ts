import type { Model } from '#contracts/entities/model.ts'
import { quoted } from '../shell.ts'

export interface Command {
  id: string
  label: string
  text: string
}

const IN_OLLAMA = /^in Ollama as (\S+)$/

/** Commands that run the model outside this app. Empty until there is an export that another program can load. */
export function commandsOf({ artifacts }: Pick<Model, 'artifacts'>): Command[] {
  const present = artifacts.filter(({ state }) => state === 'present')
  const commands: Command[] = []
  for (const { id, format, quantization, path, made } of present) {
    const which = quantization ?? '16-bit'
    if (format === 'gguf') commands.push({ id, label: `llama.cpp, ${which}`, text: `llama-server -m ${quoted(path)} --jinja --port 8081` })
    if (format === 'merged') commands.push({ id, label: 'vLLM, 16-bit', text: `vllm serve ${quoted(path)}` })
    if (format === 'ollama' && made !== null) {
      const name = IN_OLLAMA.exec(made)?.[1]
      commands.push({ id, label: `Ollama, ${which}`, text: name === undefined ? made : `ollama run ${quoted(name)}` })
    }
  }
  return commands
}
