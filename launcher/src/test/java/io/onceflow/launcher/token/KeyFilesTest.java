package io.onceflow.launcher.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFilesTest {

  private static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");

  @TempDir private Path folder;
  private KeyFiles keys;

  @BeforeEach
  void prepare() {
    keys = new KeyFiles(folder.resolve("keys"));
  }

  @Test
  void areMadeOnceAndKept() throws IOException {
    assertThat(keys.create()).isTrue();
    String made = Files.readString(keys.privateKey());
    assertThat(keys.create()).isFalse();
    assertThat(Files.readString(keys.privateKey())).isEqualTo(made);
  }

  @Test
  void hideThePrivateKeyAndLeaveNothingBeside() throws IOException {
    keys.create();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys.privateKey())))
        .isEqualTo("rw-------");
    assertThat(keys.folder())
        .isDirectoryContaining(file -> file.equals(keys.publicKey()))
        .isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void signWhatThePublicKeyVerifies() throws Exception {
    keys.create();
    String token =
        Tokens.sign(keys.readPrivateKey(), "alice", Set.of("operator"), NOW, Duration.ofHours(12));
    String[] parts = token.split("\\.");
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(publicKey());
    signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
    assertThat(signature.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();

    assertThat(json(parts[0]).path("alg").asText()).isEqualTo("RS256");
    JsonNode claims = json(parts[1]);
    assertThat(claims.path("iss").asText()).isEqualTo("https://onceflow.local");
    assertThat(claims.path("sub").asText()).isEqualTo("alice");
    assertThat(claims.path("groups").toString()).isEqualTo("[\"customer\",\"operator\"]");
    assertThat(claims.path("iat").asLong()).isEqualTo(NOW.getEpochSecond());
    assertThat(claims.path("exp").asLong()).isEqualTo(NOW.getEpochSecond() + 12 * 3600);
  }

  @Test
  void sayWhenTheyAreNotOurs() throws IOException {
    keys.create();
    Files.writeString(keys.privateKey(), "-----BEGIN PRIVATE KEY-----\nno\n");
    assertThatThrownBy(keys::readPrivateKey)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("privateKey.pem");
  }

  private PublicKey publicKey() throws Exception {
    String pem = Files.readString(keys.publicKey());
    byte[] encoded = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
    return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(encoded));
  }

  private static JsonNode json(String part) throws IOException {
    return new ObjectMapper().readTree(Base64.getUrlDecoder().decode(part));
  }
}
