import { freeFormType } from '../../free-form/free-form-type.js';
import { fileSource } from '../../uploads/file-source.dto.js';
import { filesIn } from '../../uploads/uploaded-files.js';
import { buttonWarnings } from '../button/button-warnings.js';
import { urlAction } from '../cta-url/cta-url-type.js';
import { type CarouselCardDto, CarouselMessageDto } from './carousel-message.dto.js';

/** Cards to swipe through. */
export const carouselType = freeFormType<CarouselMessageDto>({
  type: 'carousel',
  path: 'interactive/carousel',
  permission: 'send_text',
  summary:
    'Sends a message with cards to swipe through, each with a picture or a video and buttons.',
  dto: CarouselMessageDto,
  files: ({ cards }) => filesIn({ cards }),
  content: ({ body, cards }) => ({
    type: 'interactive',
    interactive: {
      type: 'carousel',
      body: { text: body },
      action: { cards: cards.map(cardContent) },
    },
  }),
  warnings: ({ cards }) =>
    cards.flatMap(({ buttons }, index) => buttonWarnings(buttons ?? [], `cards[${index}].buttons`)),
});

function cardContent({ header, body, button, buttons }: CarouselCardDto, index: number): object {
  const { type } = header;
  return {
    card_index: index,
    ...(button && { type: 'cta_url' }),
    header: { type, [type]: fileSource(header[type] ?? {}) },
    ...(body && { body: { text: body } }),
    action: button
      ? urlAction(button)
      : {
          buttons: (buttons ?? []).map(({ id, title }) => ({
            type: 'quick_reply',
            quick_reply: { id, title },
          })),
        },
  };
}
