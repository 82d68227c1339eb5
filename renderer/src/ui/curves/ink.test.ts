import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { lookOf } from './ink.ts'

type Rgb = readonly [number, number, number]

// Machado, Oliveira and Fernandes 2009, complete loss of one type of cone, on linear RGB; the first matrix is normal vision.
const SIGHTS: readonly (readonly [Rgb, Rgb, Rgb])[] = [
  [[1, 0, 0], [0, 1, 0], [0, 0, 1]], // prettier-ignore
  [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]], // prettier-ignore
  [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]], // prettier-ignore
  [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]], // prettier-ignore
]
/** Distance in OKLab below which two lines in one picture are easily confused. */
const NEAR = 0.06

const dot = (row: Rgb, color: Rgb) => row[0] * color[0] + row[1] * color[1] + row[2] * color[2]
const linear = (hex: string): Rgb =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
/** OKLab of a linear colour. */
function lab(color: Rgb): Rgb {
  const inGamut = color.map((part) => Math.max(0, Math.min(1, part))) as unknown as Rgb
  const cones = (
    [
      [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
      [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
      [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
    ] as const
  ).map((row) => Math.cbrt(dot(row, inGamut))) as unknown as Rgb
  return [
    dot([0.210_454_255_3, 0.793_617_785, -0.004_072_046_8], cones),
    dot([1.977_998_495_1, -2.428_592_205, 0.450_593_709_9], cones),
    dot([0.025_904_037_1, 0.782_771_766_2, -0.808_675_766], cones),
  ]
}
const distance = (a: Rgb, b: Rgb) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

const css = fs.readFileSync(path.join(import.meta.dirname, '..', 'tokens.css'), 'utf8')
/** Light and dark colour of a token. */
function colorsOf(ink: string): readonly [Rgb, Rgb] {
  const [, light, dark] = new RegExp(`--${ink}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? []
  if (!light || !dark) throw new Error(`No colour ${ink} in tokens.css`)
  return [linear(light), linear(dark)]
}
/** The smallest distance between two colours, over every kind of vision and both themes. */
const nearest = (one: string, other: string) =>
  Math.min(
    ...[0, 1].flatMap((theme) =>
      SIGHTS.map((sight) => {
        const [a, b] = [colorsOf(one)[theme]!, colorsOf(other)[theme]!].map((color) =>
          lab(sight.map((row) => dot(row, color)) as unknown as Rgb),
        )
        return distance(a!, b!)
      }),
    ),
  )

test('consecutive runs differ in colour or dash, also for colour-blind people, in both themes', () => {
  const runs = Array.from({ length: 8 }, (_, at) => lookOf({ no: at + 1 }))
  const alike = runs.flatMap((one, at) =>
    runs.slice(at + 1).flatMap((other) => (nearest(one.ink, other.ink) < NEAR ? [{ one, other }] : [])),
  )
  expect(alike.length).toBeGreaterThan(5) // otherwise the measure would be useless
  for (const { one, other } of alike) expect([one.ink, one.dash]).not.toEqual([other.ink, other.dash])
  expect(alike.filter(({ one, other }) => one.dash === other.dash)).toEqual([])
})

test('a run has the same look whatever runs are shown with it, and 32 in a row differ', () => {
  const looks = Array.from({ length: 32 }, (_, at) => JSON.stringify(lookOf({ no: at + 5 })))
  expect(new Set(looks).size).toBe(32)
  expect(lookOf({ no: 37 })).toEqual(lookOf({ no: 5 }))
})
