import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { z } from 'zod'
import { AnswerRun, type AnswerRunRequest } from '#contracts/entities/answer.ts'
import { api } from '#renderer/api/client.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { answersHref } from './words.ts'

export type RunDraft = z.input<typeof AnswerRunRequest>

/** Prepares a run, and opens its page. Nothing is sent by that. */
export function usePrepared() {
  const [, go] = useLocation()
  /** Hides a run that was prepared before the dialog was opened. */
  const [isStarted, setStarted] = useState(false)
  const job = useJobOf('answers', (body: RunDraft) => api.prepareAnswerRun({ body }), "Couldn't read the texts")
  const made = isStarted ? AnswerRun.safeParse(job.result).data : undefined
  useEffect(() => {
    if (made) go(answersHref(made.id))
  }, [go, made])
  return {
    job,
    isStarted,
    prepare: (body: RunDraft): void => {
      setStarted(true)
      job.start(body)
    },
  }
}
