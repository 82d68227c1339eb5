import { configure } from '@testing-library/react'

/** As `expect.poll` in vitest.config.ts: findBy… and waitFor. */
configure({ asyncUtilTimeout: 30_000 })
