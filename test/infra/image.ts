/**
 * `npm run test:image` builds the image, prints its size, starts it over the simulator, gets an answer, and ends it by SIGTERM
 * (infra/release/image.ts). On a machine that cannot build it, it says so and ends with 0.
 */
import { buildAndUseImage, missingForImage } from '../../infra/release/image.ts'

const missing = await missingForImage()
if (missing !== undefined) {
  console.log(`Not run: npm run test:image needs ${missing}.\n0 passed, 0 failed, 1 skipped`)
} else {
  let passed = 0
  await buildAndUseImage((line) => {
    passed++
    console.log(`ok    ${line}`)
  })
  console.log(`${passed} passed, 0 failed`)
}
