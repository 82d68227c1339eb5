import { z } from 'zod'
import { askedField } from '../places.ts'

export const CollectorKind = z.enum(['phoenix', 'langfuse', 'otlp']).meta({ id: 'CollectorKind' })
export type CollectorKind = z.infer<typeof CollectorKind>

const isWeb = (text: string): boolean => /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/.test(text)

/** A program that takes spans. Keys are not settings: they come from the environment. */
export const Collector = z
  .strictObject({
    kind: CollectorKind,
    url: askedField(
      z.string().trim().max(2000).refine(isWeb, 'Must be an http or https address without a user name, query or fragment.'),
      'Send the spans of your sessions and runs to an address',
    ).meta({ description: 'of the server (phoenix, langfuse), or of the collector; /v1/traces is added where it is missing' }),
  })
  .meta({ id: 'Collector' })
export type Collector = z.infer<typeof Collector>

/** Spans from other programs, and to them. Both are off by default. */
export const TelemetrySettings = z
  .object({
    in: z.boolean().default(false).meta({ description: 'takes telemetry (OTLP over HTTP) from programs on this machine' }),
    inPort: z.number().int().min(1024).max(65_535).default(4318).meta({ description: 'of `in`: port on 127.0.0.1' }),
    out: z
      .array(Collector)
      .max(5)
      .refine((list) => new Set(list.map(({ url }) => url)).size === list.length, 'Two collectors have the same address.')
      .default([])
      .meta({ description: 'where spans of sessions and runs are sent; empty: nowhere' }),
    sampleRate: z
      .number()
      .min(0)
      .max(1)
      .default(1)
      .meta({ description: 'of `out`: the share of traces that is sent, each whole or not at all' }),
  })
  .prefault({})
export type TelemetrySettings = z.infer<typeof TelemetrySettings>
