import { freeFormType } from '../../free-form/free-form-type.js';
import { LocationMessageDto } from './location-message.dto.js';

/** A place on the map. */
export const locationType = freeFormType<LocationMessageDto>({
  type: 'location',
  path: 'location',
  permission: 'send_text',
  summary: 'Sends a place on the map.',
  dto: LocationMessageDto,
  content: ({ latitude, longitude, name, address }) => ({
    type: 'location',
    location: { latitude, longitude, ...(name && { name }), ...(address && { address }) },
  }),
});
