import { render } from 'preact';
import { App } from './app.tsx';
import './style/base.css';
import './style/controls.css';

const place = document.getElementById('page');
if (place === null) throw new Error('the page has no place for its content');
render(<App />, place);
