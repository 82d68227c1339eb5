import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { type MachineEngine, openMachines } from '#server/adapters/sandbox/index.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { createDocker } from '#server/adapters/docker/index.ts'
import { BASE_IMAGE, testDocker } from '#server/testing/docker.ts'
import { describeShell } from './testing-conformance.ts'
import { hostMachine } from './testing-host.ts'

const onHost = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-shell-'))
  return Promise.resolve({
    machine: hostMachine(folder),
    close: () => {
      fs.rmSync(folder, { recursive: true })
      return Promise.resolve()
    },
  })
}

for (const mode of ['pipe', 'terminal'] as const) describeShell('a plain process', mode, onHost)

const MB = 1024 * 1024

/** Tests each profile in one mode. `openEngine` is called once with a folder for the engine's records. */
function describeEngine(name: string, image: string, openEngine: (records: string) => Promise<MachineEngine>): void {
  let records: string
  let engine: MachineEngine
  beforeAll(async () => {
    records = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-machines-'))
    engine = await openEngine(records)
  })
  afterAll(() => fs.rmSync(records, { recursive: true }))

  const open = (profile: 'machine' | 'strict') => async () => {
    const machine = await engine.create({
      id: 'shell',
      image,
      profile,
      workdir: null,
      env: {},
      network: 'none',
      limits: { memoryBytes: 512 * MB, cpus: 1, processes: 256, diskBytes: 256 * MB, openFiles: 1024, fileBytes: 256 * MB },
      labels: {},
    })
    return { machine, close: () => machine.remove() }
  }
  describeShell(name, 'terminal', open('machine'))
  describeShell(name, 'pipe', open('strict'))
}

describe.skipIf(findBubblewrap() === null)('in a machine', () => {
  describeEngine('bubblewrap', 'host', openMachines)
})

describe.skipIf(testDocker === null)('in a container', () => {
  describeEngine('docker', BASE_IMAGE, (records) => createDocker({ host: testDocker!.host, dataDir: records }).open())
})
