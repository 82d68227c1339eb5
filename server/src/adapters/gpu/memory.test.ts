import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { findDevices } from './index.ts'
import { availableMemory } from './memory.ts'

const MB = 1e6
const FILES = {
  v1: { limit: 'memory.limit_in_bytes', usage: 'memory.usage_in_bytes', idle: 'total_inactive_file' },
  v2: { limit: 'memory.max', usage: 'memory.current', idle: 'inactive_file' },
}
const KINDS = [
  { version: 'v2', line: '0::/box/run', mount: '', none: 'max' },
  { version: 'v1', line: '4:memory:/box/run', mount: 'memory', none: '9223372036854771712' },
] as const

let root: string
beforeEach(() => void (root = newFolder()))

function writeGroup(place: string, version: 'v1' | 'v2', limit: string, used: number, idle = 0): void {
  const folder = path.join(root, 'sys/fs/cgroup', place)
  fs.mkdirSync(folder, { recursive: true })
  const names = FILES[version]
  fs.writeFileSync(path.join(folder, names.limit), `${limit}\n`)
  fs.writeFileSync(path.join(folder, names.usage), `${used}\n`)
  fs.writeFileSync(path.join(folder, 'memory.stat'), `cache 5\n${names.idle} ${idle}\n`)
}

function belongTo(line: string): void {
  fs.mkdirSync(path.join(root, 'proc/self'), { recursive: true })
  fs.writeFileSync(path.join(root, 'proc/self/cgroup'), `3:cpuset:/\n${line}\n`)
}

test.each(KINDS)('uses the free memory of a control group ($version), even of a parent group', async ({ version, line, mount, none }) => {
  belongTo(line)
  writeGroup(`${mount}/box/run`, version, none, 90 * MB)
  expect(availableMemory(root).totalBytes).toBe(os.totalmem())
  writeGroup(`${mount}/box`, version, String(100 * MB), 99 * MB, 2 * MB)
  expect(availableMemory(root)).toEqual({ totalBytes: 100 * MB, freeBytes: 3 * MB })
  writeGroup(mount, version, String(80 * MB), 78 * MB) // the container's group
  expect(availableMemory(root)).toEqual({ totalBytes: 80 * MB, freeBytes: 2 * MB })
  const { items } = await findDevices('', root)
  expect(items).toMatchObject([{ kind: 'cpu', totalBytes: 80 * MB, freeBytes: 2 * MB }])
})

test('uses the group with the least free memory, or the machine if no group has a limit', () => {
  belongTo('0::/box')
  writeGroup('', 'v2', String(90 * MB), 10 * MB)
  writeGroup('box', 'v2', String(100 * MB), 95 * MB)
  expect(availableMemory(root)).toEqual({ totalBytes: 100 * MB, freeBytes: 5 * MB })
  fs.rmSync(path.join(root, 'sys'), { recursive: true })
  expect(availableMemory(root).totalBytes).toBe(os.totalmem())
  fs.rmSync(path.join(root, 'proc'), { recursive: true })
  const { totalBytes, freeBytes } = availableMemory(root)
  expect(totalBytes).toBe(os.totalmem())
  expect(freeBytes).toBeGreaterThan(0)
})
