import { Menu } from '@mantine/core';
import { IconMoodPlus } from '@tabler/icons-react';
import { ActionMenu } from '../parts/action-menu.tsx';

interface ReactMenuProps {
  /** What the message says, so that its button has a name of its own. */
  readonly about: string;
  /** The user's emoji at the message; empty where there is none. */
  readonly own: string;
  /** The empty text takes the reaction back. */
  readonly onReact: (emoji: string) => void;
}

const emojis = {
  '👍': 'Thumbs up',
  '❤️': 'Red heart',
  '😂': 'Tears of joy',
  '😮': 'Surprise',
  '😢': 'Sadness',
  '🙏': 'Thanks',
};

/** The emojis that WhatsApp offers at a message. */
export function ReactMenu({ about, own, onReact }: ReactMenuProps) {
  return (
    <ActionMenu
      name={`React to “${about}”`}
      icon={IconMoodPlus}
      className="icon-button bubble-aside"
    >
      <div className="react-emojis">
        {Object.entries(emojis).map(([emoji, name]) => (
          <Menu.Item
            key={emoji}
            aria-label={name}
            data-chosen={emoji === own}
            onClick={() => onReact(emoji)}
          >
            {emoji}
          </Menu.Item>
        ))}
      </div>
      {own !== '' && <Menu.Item onClick={() => onReact('')}>Remove reaction {own}</Menu.Item>}
    </ActionMenu>
  );
}
