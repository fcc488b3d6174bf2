import { ValidateBy } from 'class-validator';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Pictures, flags, and the keycaps of digits, # and *. */
const emojiForm = /\p{Extended_Pictographic}|^[\u{1F1E6}-\u{1F1FF}]{2}$|^[\d#*]\uFE0F?\u20E3$/u;

/** Skins, hair and joined people make the longest ones; no emoji has this many code units. */
const emojiMaxLength = 64;

/** Whether a text is one emoji and nothing else. */
function isEmoji(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > emojiMaxLength || !emojiForm.test(text))
    return false;
  return [...graphemes.segment(text)].length === 1;
}

/** One emoji. */
export function IsEmoji(): PropertyDecorator {
  return ValidateBy({
    name: 'isEmoji',
    constraints: [emojiMaxLength],
    validator: {
      validate: isEmoji,
      defaultMessage: (args) =>
        args?.value === undefined || args.value === null ? 'is required' : 'must be one emoji',
    },
  });
}
