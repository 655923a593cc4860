import "./styles/tokens.css";
import "./theme";
import "./shell";
