import { QueryClient } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { showPart } from '#renderer/app/testing-page.tsx'
import { SecretMarks } from './secret-marks.tsx'

it('a value found in several places of an entry is listed once', () => {
  const finding = { traceId: 't', type: 'password', part: 'result' } as const
  const findings = [
    { ...finding, id: 'a', value: 'v' },
    { ...finding, id: 'b', value: 'v' },
    { ...finding, id: 'c', value: 'w' },
  ] as ArchiveFinding[]
  showPart(<SecretMarks findings={findings} />, new QueryClient())
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Secret found in the output: Password, 2 placesOpen finding',
    'Secret found in the output: PasswordOpen finding',
  ])
})
