import type { SandboxBackend } from '#contracts/entities/sandbox.ts'

/** The engine of a sandbox, and the system that it has at its start. */
export interface Place {
  backend: SandboxBackend
  image: string
}

export const HERE: Place = { backend: 'bubblewrap', image: 'host' }

/** What is not said follows from the rest. */
export const placeOf = ({ backend, image = HERE.image }: { backend?: SandboxBackend | undefined; image?: string | undefined }): Place => ({
  backend: backend ?? (image === HERE.image ? HERE.backend : 'docker'),
  image,
})
