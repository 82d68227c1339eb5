import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { useConnection } from '#renderer/api/connection.ts'

/** As `expect.poll` in vitest.config.ts: findBy… and waitFor. */
configure({ asyncUtilTimeout: 30_000 })

/** Removes what a test leaves behind. It runs after the `afterEach` of the file. */
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  useConnection.setState({ state: 'connecting' })
})
