import { AppError } from '../errors/app-error.js';
import { validate } from '../http/body.pipe.js';
import { compiledRules, type Dto } from '../http/compiled-rules.js';
import { MediaMessageDto } from './media-message.dto.js';
import { TextMessageDto } from './text-message.dto.js';

const to = '+14155550123';
const link = 'https://shop.example/a.bin';

/** What is refused, or null when the body is fine; both judges of bodies must agree. */
function refusal(dto: Dto, body: object) {
  let error: AppError | null = null;
  try {
    validate(dto, body);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    error = thrown;
  }
  expect(compiledRules(dto)?.(body)).toBe(error === null);
  return error && error.details?.fields;
}

const image = { type: 'image', link };

describe('a text or a media message', () => {
  it.each<[string, number, Dto, object]>([
    ['body', 4_096, TextMessageDto, { preview_url: true, reply_to: 'wamid.a' }],
    ['reference', 100, TextMessageDto, { body: 'a' }],
    ['caption', 1_024, MediaMessageDto, image],
    ['filename', 240, MediaMessageDto, { type: 'document', link }],
    ['reference', 100, MediaMessageDto, { type: 'sticker', link }],
  ])('has a %s of %i characters and no more', (field, max, dto, message) => {
    const withLength = (length: number) => ({ to, ...message, [field]: '🙂'.repeat(length) });
    expect(refusal(dto, withLength(max))).toBeNull();
    expect(refusal(dto, withLength(max + 1))).toEqual({
      [field]: `must be at most ${max} characters; this has ${max + 1}`,
    });
  });

  it.each<[string, Dto, object, Record<string, string>]>([
    ['no body', TextMessageDto, {}, { body: 'is required' }],
    [
      'a preview that is no boolean',
      TextMessageDto,
      { body: 'a', preview_url: 'yes' },
      { preview_url: 'must be true or false' },
    ],
    [
      'a reply to something that is no id',
      TextMessageDto,
      { body: 'a', reply_to: 'wamid.' },
      { reply_to: 'must be the id of a message: a UUID, or wamid. and what follows it' },
    ],
    [
      'neither type nor link',
      MediaMessageDto,
      {},
      { type: 'must be one of image, video, audio, document, sticker', link: 'is required' },
    ],
    [
      'a link of another kind',
      MediaMessageDto,
      { type: 'image', link: 'ftp://shop.example/a' },
      { link: 'must be a link that begins with http:// or https://' },
    ],
    [
      'a caption on an audio',
      MediaMessageDto,
      { type: 'audio', link, caption: 'a' },
      { caption: 'is not allowed for audio and stickers' },
    ],
    [
      'a file name on an image',
      MediaMessageDto,
      { ...image, filename: 'a.png' },
      { filename: 'is allowed for documents only' },
    ],
  ])('with %s is refused by the name of the field', (_, dto, message, fields) => {
    expect(refusal(dto, { to, ...message })).toEqual(fields);
  });
});
