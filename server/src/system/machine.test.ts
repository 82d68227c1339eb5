import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startTestServer } from '#server/testing/server.ts'

it('says what the machine has, and whether the stores of the data directory work', async () => {
  const server = await startTestServer()
  try {
    const info = await server.client.getSystemInfo()
    expect(info.disk!.freeBytes).toBeLessThanOrEqual(info.disk!.totalBytes)
    const parts = { docker: { available: expect.any(Boolean) as boolean }, python: { state: expect.any(String) as string } }
    await expect.poll(() => server.client.getSystemInfo(), { timeout: 60_000 }).toMatchObject(parts) // slow programs are not waited for
    const health = await server.client.getHealth()
    expect(health).toMatchObject({ status: 'ok', checks: { db: 'ok', archive: 'ok', spool: 'empty', hooks: 'missing' } })
    expect(health.uptimeSec).toBeGreaterThanOrEqual(0)

    fs.rmSync(path.join(server.config.dataDir, 'archive'), { recursive: true })
    expect(await server.client.getHealth()).toMatchObject({ status: 'degraded', checks: { archive: 'missing' } })
  } finally {
    await server.close()
  }
})
