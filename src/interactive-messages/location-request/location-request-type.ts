import { freeFormType } from '../../free-form/free-form-type.js';
import { LocationRequestMessageDto } from './location-request-message.dto.js';

/** A button with which users share where they are. */
export const locationRequestType = freeFormType<LocationRequestMessageDto>({
  type: 'location_request',
  path: 'interactive/location-request',
  permission: 'send_text',
  summary: 'Asks the recipient where they are.',
  dto: LocationRequestMessageDto,
  content: ({ body }) => ({
    type: 'interactive',
    interactive: {
      type: 'location_request_message',
      body: { text: body },
      action: { name: 'send_location' },
    },
  }),
});
