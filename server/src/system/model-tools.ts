import os from 'node:os'
import { createOllama } from '#server/adapters/ollama/index.ts'
import { findProgram } from '#server/adapters/tools/find-program.ts'
import { findDevices } from '#server/adapters/gpu/index.ts'
import { chatWith, healthOf } from '#server/adapters/trainer-tools/chat.ts'
import { type Interpreter, residentMemory, runTool, serveModel } from '#server/adapters/trainer-tools/index.ts'
import type { Config } from '#server/config.ts'

/** The programs on this machine that export and serve models. */
export const modelTools = (config: Pick<Config, 'path' | 'userHome'>, interpreter: () => Promise<Interpreter>) => ({
  interpreter,
  runTool,
  serveModel,
  chat: chatWith,
  memoryOf: residentMemory,
  async freeMemory() {
    const { items } = await findDevices(config.path)
    return items.reduce((sum, { freeBytes }) => sum + (freeBytes ?? 0), 0)
  },
  healthOf,
  device: `CPU, ${os.cpus()[0]?.model.trim() ?? os.arch()}`,
  quantizer: () => findProgram('llama-quantize', config.path),
  ollama: createOllama(config),
})
