import { expect, test } from 'vitest'
import { readChatFailure } from './openai-errors.ts'

const kindOf = (status: number, message: string, sentImages: boolean): unknown =>
  readChatFailure(status, {}, JSON.stringify({ error: { message } }), sentImages).kind

/** As the servers write it. */
const blind: [server: string, status: number, message: string][] = [
  ['llama.cpp', 500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
  ['vLLM', 400, 'At most 0 image(s) may be provided in one prompt.'],
  ['vLLM, text model', 400, 'qwen/qwen2.5-coder is not a multimodal model'],
  ['OpenAI', 400, 'Invalid content type. image_url is only supported by certain models.'],
  ['OpenRouter', 404, 'No endpoints found that support image input'],
  ['DeepSeek', 400, 'Failed to deserialize the JSON body: messages[1]: unknown variant `image_url`, expected `text`'],
  ['LM Studio', 400, 'Model does not support images. Please use a model that does.'],
  ['Groq', 400, 'messages[1].content must be a string'],
]

test.each(blind)('%s says that a model takes no images, where images were sent', (_, status, message) => {
  expect(kindOf(status, message, true)).toBe('no-images')
  expect(kindOf(status, message, false)).not.toBe('no-images')
})

test.each([
  'Could not process image',
  "You uploaded an unsupported image. Please make sure your image has one of the following formats: ['png', 'jpeg'].",
  'The image was specified using the image/png media type, but appears to be image/jpeg',
  'image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
])('a fault of one image is no refusal of all: %s', (message) => {
  expect(kindOf(400, message, true)).toBeUndefined()
})
