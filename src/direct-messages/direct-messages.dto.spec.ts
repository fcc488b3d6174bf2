import { refusalOf } from '../../test/support/refusals.js';
import type { Dto } from '../http/validation/compiled-rules.js';
import { MediaMessageDto } from './media/media-message.dto.js';
import { TextMessageDto } from './text/text-message.dto.js';

const to = '+14155550123';
const link = 'https://shop.example/a.bin';

type Refused = [name: string, Dto, message: object, faults: Record<string, string>];

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
    expect(refusalOf(dto, withLength(max))).toBeNull();
    expect(refusalOf(dto, withLength(max + 1))?.fields).toEqual({
      [field]: `must be at most ${max} characters; this has ${max + 1}`,
    });
  });

  it.each<Refused>([
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
    ...['image', 'document', 'sticker'].map(
      (type): Refused => [
        `a voice of type ${type}`,
        MediaMessageDto,
        { type, link, voice: true },
        { voice: 'is allowed for audio only' },
      ],
    ),
    [
      'a voice that is a text',
      MediaMessageDto,
      { type: 'audio', link, voice: 'yes' },
      { voice: 'must be true or false' },
    ],
    [
      'a file name on an image',
      MediaMessageDto,
      { ...image, filename: 'a.png' },
      { filename: 'is allowed for documents only' },
    ],
  ])('with %s is refused by the name of the field', (_, dto, message, fields) => {
    expect(refusalOf(dto, { to, ...message })?.fields).toEqual(fields);
  });
});
