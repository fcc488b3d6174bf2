import { judgeFile } from './media-kinds.js';

const head = Buffer.alloc(64, 1);
const typeOf = (told: string, mark: string | null, bytes = head) => {
  const judged = judgeFile(told, mark, bytes);
  return 'fault' in judged ? judged.fault : judged.mimeType;
};
/** The part of an MP4 that names the codec of a track. */
const track = (codec: string) =>
  Buffer.from(`\0\0\0\0stsd\0\0\0\0\0\0\0\x01\0\0\0\x10${codec}`, 'latin1');
const opus = 'audio/ogg; codecs=opus';

describe('the type of an upload', () => {
  it.each([
    ['image/jpg', 'image/jpeg', 'image/jpeg'],
    ['image/x-png', 'image/png', 'image/png'],
    ['audio/mp3', 'audio/mpeg', 'audio/mpeg'],
    ['audio/x-m4a', 'audio/x-m4a', 'audio/mp4'],
    ['audio/x-m4a', 'video/mp4', 'audio/mp4'],
    ['audio/opus', opus, 'audio/ogg'],
    ['audio/ogg; codecs=opus', opus, 'audio/ogg'],
    ['application/ogg', opus, 'audio/ogg'],
    ['video/x-m4v', 'video/x-m4v', 'video/mp4'],
    ['application/x-pdf', 'application/pdf', 'application/pdf'],
    ['application/octet-stream', 'image/jpeg', 'image/jpeg'],
    ['Application/Octet-Stream; a=b', opus, 'audio/ogg'],
    ['', 'video/mp4', 'video/mp4'],
  ])('told as %j with the bytes of %s is WhatsApp’s %s', (told, mark, type) => {
    expect(typeOf(told, mark)).toBe(type);
  });

  it.each([
    ['audio/mp3', 'application/pdf', 'audio/mp3 is not a type that WhatsApp takes'],
    ['image/png', 'image/jpeg', 'the file is not image/png, but image/jpeg'],
    ['image/gif', 'image/gif', 'image/gif is not a type that WhatsApp takes'],
    ['', 'image/gif', 'image/gif is not a type that WhatsApp takes'],
    ['', null, 'A file of unknown type is not a type that WhatsApp takes'],
    ['application/octet-stream', null, 'A file of unknown type is not a type that WhatsApp takes'],
    ['text/csv', null, 'text/csv is not a type that WhatsApp takes'],
  ])('told as %j with the bytes of %s is refused: %s', (told, mark, fault) => {
    expect(typeOf(told, mark)).toBe(fault);
  });

  it.each(['audio/ogg', 'audio/opus', 'application/octet-stream', ''])(
    'told as %j is refused where the Ogg has no Opus',
    (told) => {
      expect(typeOf(told, 'audio/ogg')).toBe(
        'the file is Ogg without Opus: WhatsApp takes Ogg with Opus only',
      );
    },
  );

  it.each([
    ['video/mp4', 'video/mp4', 'hvc1', 'H.265'],
    ['video/3gpp', 'video/3gpp', 'mp4v', 'MPEG-4 Visual'],
    ['audio/mp4', 'audio/x-m4a', 'alac', 'ALAC'],
  ])(
    'told as %s is refused with a codec that WhatsApp does not play',
    (told, mark, codec, name) => {
      expect(typeOf(told, mark, track(codec))).toBe(
        `the file has ${name}: WhatsApp takes H.264 video and AAC audio`,
      );
      expect(typeOf(told, mark, track(told.startsWith('audio') ? 'mp4a' : 'avc1'))).toBe(told);
    },
  );
});
