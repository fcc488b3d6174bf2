import { freeFormType } from '../../free-form/free-form-type.js';
import { ReactionMessageDto } from './reaction-message.dto.js';

/** A reaction to a message, or its removal. */
export const reactionType = freeFormType<ReactionMessageDto>({
  type: 'reaction',
  path: 'reaction',
  permission: 'send_text',
  summary: 'Reacts to a message with an emoji, or takes the reaction back.',
  dto: ReactionMessageDto,
  aboutField: 'message_id',
  content: ({ emoji }, about) => ({
    type: 'reaction',
    reaction: { message_id: about, emoji: emoji ?? '' },
  }),
});
