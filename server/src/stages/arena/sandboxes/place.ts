import type { SandboxBackend } from '#contracts/entities/sandbox.ts'

/** The engine of a sandbox, and the system that it has at its start. */
export interface Place {
  backend: SandboxBackend
  image: string
}

export const HERE: Place = { backend: 'bubblewrap', image: 'host' }

/** The folder of a copy inside: the same as outside where that can be, since environments of Python name it. */
export const folderInside = (folder: string): string =>
  /^\/(?:usr|bin|sbin|lib\w*|etc|proc|dev|sys|boot|tmp|var|run|logs)(?:\/|$)/.test(folder) ? '/workspace' : folder

/** What is left out follows from the rest. */
export const placeOf = ({ backend, image = HERE.image }: { backend?: SandboxBackend | undefined; image?: string | undefined }): Place => ({
  backend: backend ?? (image === HERE.image ? HERE.backend : 'docker'),
  image,
})
