import { IsIn, IsOptional, Matches, ValidateBy } from 'class-validator';
import { AnswerableDto } from '../../free-form/free-form.dto.js';
import {
  BelongsTo,
  IsListOf,
  IsObjectOf,
  IsText,
  isGiven,
  NotTogetherWith,
  RequiredWithout,
} from '../../http/validation/rules.js';
import { ReplyButtonDto } from '../button/button-message.dto.js';
import { UrlButtonDto } from '../cta-url/cta-url-message.dto.js';
import { MediaLinkDto } from '../message-header.dto.js';
import { HasUniqueButtonIds } from '../unique-ids.js';

const headerTypes = ['image', 'video'] as const;
type HeaderType = (typeof headerTypes)[number];

const fewLines = /^[^\n\r]*(?:(?:\r\n|\n|\r)[^\n\r]*){0,2}$/;

const BelongsToType = (type: HeaderType) =>
  BelongsTo('type', [type], `belongs to a header of type ${type} only`, { isRequired: true });

/** The picture or the video of a card. */
export class CardHeaderDto {
  @IsIn(headerTypes, { message: `must be one of ${headerTypes.join(', ')}` })
  type: HeaderType;

  @IsObjectOf(() => MediaLinkDto)
  @BelongsToType('image')
  image?: MediaLinkDto | null;

  @IsObjectOf(() => MediaLinkDto)
  @BelongsToType('video')
  video?: MediaLinkDto | null;
}

/** A card with a picture or a video, and buttons of one kind. */
export class CarouselCardDto {
  @IsObjectOf(() => CardHeaderDto)
  header: CardHeaderDto;

  /** At most 160 characters and 2 line breaks. */
  @IsOptional()
  @IsText(160)
  @Matches(fewLines, { message: 'must have at most 2 line breaks' })
  body?: string | null;

  /** A button that opens a page. Required without `buttons`. */
  @RequiredWithout('buttons')
  @IsObjectOf(() => UrlButtonDto)
  button?: UrlButtonDto | null;

  /** 1 to 3 reply buttons, instead of `button`. */
  @IsOptional()
  @HasUniqueButtonIds()
  @IsListOf(1, 3, () => ReplyButtonDto)
  @NotTogetherWith('button')
  buttons?: ReplyButtonDto[] | null;
}

/** How many reply buttons a card has; 0 for a button that opens a page. Anything else has faults of its own. */
function replyButtonsOf(card: unknown): number | null {
  if (typeof card !== 'object' || card === null) return null;
  const { button, buttons } = card as Partial<CarouselCardDto>;
  if (Array.isArray(buttons)) return buttons.length;
  return isGiven(button) ? 0 : null;
}

const HasEqualButtons = () =>
  ValidateBy({
    name: 'hasEqualButtons',
    validator: {
      validate: (value: unknown) => {
        const counts = (Array.isArray(value) ? value : []).map(replyButtonsOf);
        return new Set(counts.filter((count) => count !== null)).size <= 1;
      },
      defaultMessage: () => 'must have the same kind and number of buttons on each card',
    },
  });

/** A message with cards to swipe through. */
export class CarouselMessageDto extends AnswerableDto {
  /** At most 1,024 characters. */
  @IsText(1_024)
  body: string;

  /** 2 to 10 cards, each with the same kind and number of buttons. */
  @HasEqualButtons()
  @IsListOf(2, 10, () => CarouselCardDto)
  cards: CarouselCardDto[];
}
