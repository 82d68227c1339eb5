import { lazy } from 'react'
import type { SettingsPage } from '#renderer/app/feature.ts'
import type * as Bodies from './bodies.ts'

/** All sections load in one file: they are small, and a user who opens one may open the next. */
const body = (name: keyof typeof Bodies) => lazy(async () => ({ default: (await import('./bodies.ts'))[name] }))

/** The sections of Settings that belong to no other feature. */
export const SETTINGS_SECTIONS: readonly SettingsPage[] = [
  {
    id: 'capture',
    label: 'Capture and hooks',
    words: 'install remove hooks diff backup events client version pause excluded projects import',
    order: 10,
    Body: body('CaptureSection'),
  },
  {
    id: 'scoring',
    label: 'Scoring',
    words: 'policy thresholds gold silver bronze rescore verification commands tests marked',
    order: 20,
    Body: body('ScoringSection'),
  },
  {
    id: 'router',
    label: 'Model in Claude Code',
    words:
      'router use my own model agent gym mod plugin install remove first student override proof where it works sandbox in place permission rules proxy base url address port',
    order: 35,
    Body: body('RouterSection'),
  },
  {
    id: 'providers',
    label: 'Providers',
    words: 'anthropic nvidia nim openai endpoint address key model limits requests concurrency timeout augmentation grow',
    order: 40,
    Body: body('ProvidersSection'),
  },
  { id: 'prices', label: 'Prices', words: 'cost usd tokens model', order: 60, Body: body('PricesSection') },
  {
    id: 'appearance',
    label: 'Appearance and keyboard',
    words: 'theme dark light density compact comfortable single keys shortcuts',
    order: 70,
    Body: body('AppearanceSection'),
  },
  {
    id: 'storage',
    label: 'Storage',
    words: 'archive disk size verify check backup rebuild samples',
    order: 80,
    Body: body('StorageSection'),
  },
  { id: 'notifications', label: 'Notifications', words: 'permission jobs desktop', order: 90, Body: body('NotificationsSection') },
  {
    id: 'sign-ins',
    label: 'Signed-in browsers',
    words: 'security sign out everywhere revoke sessions devices token',
    order: 100,
    Body: body('SignInsSection'),
  },
  {
    id: 'trusted',
    label: 'Trusted folders',
    words: 'security confirm confirmation project outside home disk ask path',
    order: 105,
    Body: body('TrustedFoldersSection'),
  },
  { id: 'api', label: 'API access', words: 'token rest openapi docs automation', order: 110, Body: body('ApiSection') },
  { id: 'doctor', label: 'Doctor', words: 'found missing version node claude', order: 120, Body: body('DoctorSection') },
  {
    id: 'about',
    label: 'About',
    words: 'version data directory environment variables licence',
    order: 130,
    Body: body('AboutSection'),
  },
]
