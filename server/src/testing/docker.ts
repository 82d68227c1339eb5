/** The Docker Engine for tests is the one at DOCKER_HOST, if it has the image that the tests need (see `scripts/with-docker.mjs`). */
import { createDocker } from '#server/adapters/docker/index.ts'

export const BASE_IMAGE = 'bashgym-base:bookworm'

const host = process.env['DOCKER_HOST']
const { images } = await createDocker({ host, dataDir: 'tests' }).state()
export const testDocker = images.includes(BASE_IMAGE) && host !== undefined ? { host } : null
