import { freeFormType } from '../../free-form/free-form-type.js';
import { filesIn } from '../../uploads/uploaded-files.js';
import { headerContent } from '../header-content.js';
import { type FlowDto, FlowMessageDto } from './flow-message.dto.js';

/** A button that opens a form within WhatsApp. */
export const flowType = freeFormType<FlowMessageDto>({
  type: 'flow',
  path: 'interactive/flow',
  permission: 'send_text',
  summary: 'Sends a message with a button that opens a flow, a form within WhatsApp.',
  dto: FlowMessageDto,
  files: ({ header }) => filesIn({ header }),
  content: ({ header, body, footer, flow }) => ({
    type: 'interactive',
    interactive: {
      type: 'flow',
      ...(header && { header: headerContent(header) }),
      body: { text: body },
      ...(footer && { footer: { text: footer } }),
      action: { name: 'flow', parameters: parametersOf(flow) },
    },
  }),
});

function parametersOf({ id, name, cta, mode, action, screen, data }: FlowDto): object {
  return {
    flow_message_version: '3',
    ...(id ? { flow_id: id } : { flow_name: name }),
    flow_cta: cta,
    ...(mode && { mode }),
    ...((action ?? screen) && { flow_action: action ?? 'navigate' }),
    ...(screen && { flow_action_payload: { screen, ...(data && { data }) } }),
  };
}
